#include "benchmarks/figure_table.hpp"

#include <cmath>
#include <cstdio>

namespace gnomon::benchmarks {

namespace {

std::string render(double value, std::string_view unit) {
  char digits[64];
  const auto precision = std::fabs(value) >= 100 ? 0 : 1;
  std::snprintf(digits, sizeof digits, "%.*f", precision, value);
  return std::string{digits} + " " + std::string{unit};
}

void print(std::string_view name, const std::string& reached,
           const std::string& wanted, const char* verdict) {
  std::printf("%-52.*s | %14s | %16s | %s\n", static_cast<int>(name.size()),
              name.data(), reached.c_str(), wanted.c_str(), verdict);
  std::fflush(stdout);
}

} // namespace

figure_table::figure_table() {
  print("name", "reached", "wanted", "");
}

void figure_table::at_most(std::string_view name, double reached, double wanted,
                           std::string_view unit) {
  judge(name, reached, "<= " + render(wanted, unit), unit, reached <= wanted);
}

void figure_table::at_least(std::string_view name, double reached,
                            double wanted, std::string_view unit) {
  judge(name, reached, ">= " + render(wanted, unit), unit, reached >= wanted);
}

void figure_table::show(std::string_view name, double reached,
                        std::string_view unit) {
  print(name, render(reached, unit), "-", "-");
}

void figure_table::not_available(std::string_view name,
                                 std::string_view reason) {
  print(name, "n/a", std::string{reason}, "-");
}

void figure_table::judge(std::string_view name, double reached,
                         const std::string& wanted, std::string_view unit,
                         bool ok) {
  short_count_ += ok ? 0 : 1;
  print(name, render(reached, unit), wanted, ok ? "ok" : "short");
}

} // namespace gnomon::benchmarks
