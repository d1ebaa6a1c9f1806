set(recurrence_sources)
