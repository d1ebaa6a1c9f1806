set(state_sources)
