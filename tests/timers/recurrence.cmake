gnomon_test(recurrence_vectors_test
  SOURCES recurrence/iso8601_vectors_test.cpp recurrence/cron_vectors_test.cpp
  LINK gnomon::timers)
