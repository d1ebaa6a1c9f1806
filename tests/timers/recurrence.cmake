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
  LINK gnomon::timers)
gnomon_test(catch_up_test
  SOURCES catch_up_test.cpp
  LINK gnomon::timers)

if(GNOMON_TOOLS)
  gnomon_test(next_test
    SOURCES recurrence/next_test.cpp
    LINK gnomon::commands)
  target_compile_definitions(next_test PRIVATE
    GNOMON_GUIDE="${PROJECT_SOURCE_DIR}/docs/guide/recurrences.md")
  add_test(NAME Program.PrintsDueDates
    COMMAND gnomon_tool next "0 0 0 29 2 *" --from 2096-02-29T00:00:00Z -n 1)
  set_tests_properties(Program.PrintsDueDates PROPERTIES
    PASS_REGULAR_EXPRESSION "^2104-02-29T00:00:00.000Z\n$")
  add_test(NAME Program.ExitsWithTwoOnABadExpression
    COMMAND sh -c "$<TARGET_FILE:gnomon_tool> next PT; test $? -eq 2")
endif()
