// A value or an error. Our functions do not throw; they return a result.

#pragma once

#include "gnomon/check.hpp"
#include "gnomon/error.hpp"

#include <optional>
#include <utility>
#include <variant>

namespace gnomon {

/// Holds a `T` or the reason why there is none.
template <class T>
class [[nodiscard]] result {
public:
  using value_type = T;

  result(T value) : content_(std::in_place_index<0>, std::move(value)) {
    // nop
  }

  result(gnomon::error reason)
    : content_(std::in_place_index<1>, std::move(reason)) {
    GNOMON_CHECK(std::get<1>(content_).code != errc::none);
  }

  result(errc code, std::string context)
    : result(gnomon::error{code, std::move(context)}) {
    // nop
  }

  explicit operator bool() const noexcept {
    return content_.index() == 0;
  }

  /// @pre The result holds a value.
  T& operator*() & {
    GNOMON_CHECK(content_.index() == 0);
    return *std::get_if<0>(&content_);
  }

  const T& operator*() const& {
    GNOMON_CHECK(content_.index() == 0);
    return *std::get_if<0>(&content_);
  }

  T&& operator*() && {
    return std::move(**this);
  }

  T* operator->() {
    return &**this;
  }

  const T* operator->() const {
    return &**this;
  }

  /// @pre The result holds an error.
  const gnomon::error& error() const {
    GNOMON_CHECK(content_.index() == 1);
    return *std::get_if<1>(&content_);
  }

private:
  std::variant<T, gnomon::error> content_;
};

/// Success, or the reason why not.
template <>
class [[nodiscard]] result<void> {
public:
  using value_type = void;

  result() = default;

  result(gnomon::error reason) : error_(std::move(reason)) {
    GNOMON_CHECK(error_->code != errc::none);
  }

  result(errc code, std::string context)
    : result(gnomon::error{code, std::move(context)}) {
    // nop
  }

  explicit operator bool() const noexcept {
    return !error_;
  }

  /// @pre The result holds an error.
  const gnomon::error& error() const {
    GNOMON_CHECK(error_.has_value());
    return *error_;
  }

private:
  std::optional<gnomon::error> error_;
};

} // namespace gnomon
