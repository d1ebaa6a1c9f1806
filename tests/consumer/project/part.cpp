// Uses one part of the library, the vocabulary.

#include <gnomon/error.hpp>
#include <iostream>

int main() {
  const gnomon::error what{gnomon::errc::in_use, "open directory"};
  std::cout << to_string(what) << '\n';
  return to_string(what).find("open directory") == std::string::npos;
}
