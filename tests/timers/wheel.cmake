gnomon_test(timing_wheel_test
  SOURCES timing_wheel_test.cpp timing_wheel_fuzz_test.cpp
  LINK gnomon::timers)

# Counts allocations, so it is a program of its own.
gnomon_test(timing_wheel_budget_test
  SOURCES timing_wheel_budget_test.cpp
  LINK gnomon::timers)

gnomon_test(due_date_test
  SOURCES
    due_date_checker_test.cpp
    next_due_reference_test.cpp
    partition_clock_test.cpp
    put_off_entries_test.cpp
    yield_budget_test.cpp
  LINK gnomon::timers)
