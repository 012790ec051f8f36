package sim

// SetIdleRounds changes how many rounds in a row may pass without a job that is
// submitted or ends, until the returned function is called.
func SetIdleRounds(n uint64) (restore func()) {
	old := maxIdleRounds
	maxIdleRounds = n
	return func() { maxIdleRounds = old }
}
