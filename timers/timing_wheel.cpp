#include "gnomon/timing_wheel.hpp"

#include "timers/timing_wheel_core.hpp"

namespace gnomon {

timing_wheel::timing_wheel(timing_wheel_options options)
  : core_(std::make_unique<detail::wheel_core>(options)) {
  // nop
}

timing_wheel::timing_wheel(timing_wheel&& other) noexcept = default;

timing_wheel& timing_wheel::operator=(timing_wheel&& other) noexcept = default;

timing_wheel::~timing_wheel() = default;

timer_handle timing_wheel::schedule(std::uint64_t due, std::uint64_t payload) {
  return core_->schedule(due, payload);
}

timer_handle timing_wheel::schedule_after(std::uint64_t delay,
                                          std::uint64_t payload) {
  std::uint64_t due = 0;
  if (__builtin_add_overflow(core_->now(), delay, &due))
    due = never;
  return core_->schedule(due, payload);
}

bool timing_wheel::cancel(timer_handle handle) {
  return core_->cancel(handle);
}

void timing_wheel::reserve(std::size_t count) {
  core_->reserve(count);
}

std::uint64_t timing_wheel::now() const {
  return core_->now();
}

std::optional<std::uint64_t> timing_wheel::next() const {
  return core_->next();
}

bool timing_wheel::contains(timer_handle handle) const {
  return core_->contains(handle);
}

std::size_t timing_wheel::size() const {
  return core_->size();
}

std::size_t timing_wheel::memory_bytes() const {
  return core_->memory_bytes();
}

advance_outcome timing_wheel::advance_with(std::uint64_t now,
                                           std::uint64_t budget,
                                           callback_function call, void* self) {
  return core_->advance(now, budget, call, self);
}

} // namespace gnomon
