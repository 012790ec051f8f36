package backfill

import (
	"fmt"

	"gpusim/policies"
	"gpusim/policies/placement"
	"gpusim/sim/cluster"
)

// mustNotFit reports an error when a job that is remembered not to fit does.
func mustNotFit(r *policies.Round, rule placement.Rule, j *cluster.Job) error {
	if r.Cluster.Fits(j.Req) {
		return fmt.Errorf("job %s is remembered not to fit, but does", j.Spec.ID)
	}
	if rule.Place(j, nil) != nil {
		return fmt.Errorf("job %s is placed although it does not fit", j.Spec.ID)
	}
	return nil
}
