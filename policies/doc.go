// Package policies is who decides.
//
// Mental model: whenever something has changed at an instant, the kernel calls
// a [Scheduler] once with a [Round]. The scheduler looks at the live jobs and
// the cluster and says which jobs start where and which stop; every word of it
// is checked, so a policy can be wrong but cannot corrupt the state.
//
// The usual scheduler is assembled from parts by name: an order
// (policies/order), a way to fill (policies/backfill, policies/preemption) and
// a placement rule (policies/placement); package policies/assembly holds the
// tables. A scheduler that decides everything at once implements [Scheduler]
// itself.
package policies
