#include "tests/actors/failing_disk.hpp"

namespace gnomon::test {

class failing_disk::decorated : public storage::file {
public:
  decorated(std::unique_ptr<storage::file> content, plan& fails)
    : content_(std::move(content)), plan_(fails) {
    // nop
  }

  result<bytes> read(std::uint64_t offset, std::size_t bytes_max) override {
    return plan_.run([&] { return content_->read(offset, bytes_max); });
  }

  result<void> write(std::uint64_t offset, bytes_view content,
                     std::size_t* written) override {
    auto done
      = plan_.run([&] { return content_->write(offset, content, written); });
    if (!done && !plan_.what.is_done) {
      const auto half = content.size() / 2;
      static_cast<void>(
        content_->write(offset, content.substr(0, half), written));
    }
    return done;
  }

  result<void> sync() override {
    return plan_.run([&] { return content_->sync(); });
  }

  result<void> allocate(std::uint64_t size) override {
    return plan_.run([&] { return content_->allocate(size); });
  }

  result<void> truncate(std::uint64_t size) override {
    return plan_.run([&] { return content_->truncate(size); });
  }

  result<std::uint64_t> size() override {
    return plan_.run([&] { return content_->size(); });
  }

  result<void> drop_cache(std::uint64_t offset) override {
    return plan_.run([&] { return content_->drop_cache(offset); });
  }

private:
  std::unique_ptr<storage::file> content_;
  plan& plan_;
};

result<std::unique_ptr<storage::file>>
failing_disk::open(const storage::path& name, storage::open_mode mode) {
  auto opened = plan_.run([&] { return files_.open(name, mode); });
  if (!opened)
    return opened;
  return std::unique_ptr<storage::file>{
    std::make_unique<decorated>(std::move(*opened), plan_)};
}

result<std::unique_ptr<storage::file_lock>>
failing_disk::lock(const storage::path& name) {
  return plan_.run([&] { return files_.lock(name); });
}

result<void> failing_disk::rename(const storage::path& from,
                                  const storage::path& to) {
  return plan_.run([&] { return files_.rename(from, to); });
}

result<void> failing_disk::remove(const storage::path& name) {
  return plan_.run([&] { return files_.remove(name); });
}

result<void> failing_disk::sync_directory(const storage::path& directory) {
  return plan_.run([&] { return files_.sync_directory(directory); });
}

result<void> failing_disk::create_directories(const storage::path& directory) {
  return plan_.run([&] { return files_.create_directories(directory); });
}

result<void> failing_disk::remove_all(const storage::path& directory) {
  return plan_.run([&] { return files_.remove_all(directory); });
}

result<std::vector<std::string>>
failing_disk::list(const storage::path& directory) {
  return plan_.run([&] { return files_.list(directory); });
}

result<bool> failing_disk::exists(const storage::path& name) {
  return plan_.run([&] { return files_.exists(name); });
}

result<storage::file_identity>
failing_disk::identity(const storage::path& name) {
  return plan_.run([&] { return files_.identity(name); });
}

} // namespace gnomon::test
