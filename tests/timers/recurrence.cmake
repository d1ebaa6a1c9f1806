gnomon_test(recurrence_vectors_test
  SOURCES recurrence/iso8601_vectors_test.cpp recurrence/cron_vectors_test.cpp
  LINK gnomon::timers)
gnomon_test(recurrence_test
  SOURCES
    recurrence/daylight_saving_test.cpp
    recurrence/hostile_expression_test.cpp
    recurrence/recurrence_test.cpp
  LINK gnomon::timers)
gnomon_test(cron_property_test
  SOURCES recurrence/all_zones_test.cpp recurrence/cron_property_test.cpp
  LINK gnomon::timers absl::time)
gnomon_test(catch_up_test
  SOURCES catch_up_test.cpp
  LINK gnomon::timers)
