set(processor_sources)
