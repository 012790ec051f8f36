package scenarios

// Size is the number of jobs that will be submitted, without a horizon.
func (s *Scenario) Size() int64 {
	if s.Trace != nil {
		return s.Trace.Report().Accepted
	}
	return int64(len(s.Jobs))
}
