set(wheel_sources
  due_date_checker.cpp
  next_due_reference.cpp
  partition_clock.cpp
  put_off_entries.cpp
  system_clock.cpp
  timing_wheel.cpp
  timing_wheel_core.cpp
  timing_wheel_slots.cpp
  yield_budget.cpp)

# Position-independent code would keep the small functions of the wheel from
# being inlined, in case somebody replaces them while loading.
set_source_files_properties(timing_wheel_core.cpp timing_wheel_slots.cpp
  PROPERTIES COMPILE_OPTIONS -fno-semantic-interposition)
