#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/atomic_write.h"
#include "base/read_file.h"

namespace dtp {
namespace {

namespace fs = std::filesystem;

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "dtpc-io-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder); }
  std::string at(const std::string& name) const { return (folder / name).string(); }
  size_t count() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder), {}));
  }
  fs::path folder;
};

TEST_F(Files, WritesAndReadsBack) {
  std::string text = std::string("a\0b\n", 4) + std::string(100'000, 'x');
  EXPECT_EQ(write_file(at("a.sh"), text, {.executable = true}), "");
  EXPECT_EQ(read_file(at("a.sh")).text, text);
  EXPECT_EQ(fs::status(at("a.sh")).permissions(),
            (fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
             fs::perms::others_read | fs::perms::others_exec));
  EXPECT_EQ(write_file(at("b"), ""), "");
  EXPECT_EQ(fs::status(at("b")).permissions(), (fs::perms::owner_read | fs::perms::owner_write |
                                                fs::perms::group_read | fs::perms::others_read));
  EXPECT_TRUE(read_file(at("b")).ok());
  EXPECT_EQ(count(), 2u);
}

TEST_F(Files, ReplacesOnlyByForce) {
  EXPECT_EQ(write_file(at("a"), "old"), "");
  EXPECT_EQ(write_file(at("a"), "new"),
            "cannot write `" + at("a") + "`: it exists already (--force replaces it)");
  EXPECT_EQ(read_file(at("a")).text, "old");
  EXPECT_EQ(write_file(at("a"), "new", {.force = true}), "");
  EXPECT_EQ(read_file(at("a")).text, "new");
  EXPECT_EQ(count(), 1u);
}

TEST_F(Files, SaysWhyItCannotWrite) {
  fs::create_directory(at("folder"));
  EXPECT_NE(write_file(at("folder"), "x", {.force = true}).find("a folder of that name"),
            std::string::npos);
  EXPECT_NE(write_file(at("none/a"), "x").find("No such file or directory"), std::string::npos);
  EXPECT_EQ(write_file(at("b"), "x"), "");
  EXPECT_NE(write_file(at("b/c"), "x").find("is not a folder"), std::string::npos);
  EXPECT_NE(write_file("", "x").find("names no file"), std::string::npos);
  EXPECT_NE(write_file("/proc/x", "x"), "");
  EXPECT_EQ(count(), 2u);
}

TEST_F(Files, AFileSizeLimitIsAnErrorAndLeavesNothing) {
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = {1024, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  std::string error = write_file(at("a"), std::string(10'000, 'x'));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_NE(error.find("File too large"), std::string::npos) << error;
  EXPECT_EQ(count(), 0u);
}

TEST_F(Files, WritesAllOrNone) {
  EXPECT_EQ(write_file(at("b"), "mine"), "");
  std::string error = write_files({{at("a"), "1"}, {at("b"), "2"}, {at("c"), "3"}}, false);
  EXPECT_NE(error.find("b`: it exists already"), std::string::npos) << error;
  EXPECT_EQ(count(), 1u);
  EXPECT_EQ(read_file(at("b")).text, "mine");
  EXPECT_EQ(write_files({{at("a"), "1"}, {at("b"), "2", true}}, true), "");
  EXPECT_EQ(count(), 2u);
  EXPECT_EQ(read_file(at("b")).text, "2");
  EXPECT_NE(write_files({{at("d"), "1"}, {at("none/e"), "2"}}, true), "");
  EXPECT_EQ(count(), 2u);
}

TEST_F(Files, MakesFolders) {
  EXPECT_EQ(make_folder(at("x/y/z")), "");
  EXPECT_EQ(make_folder(at("x/y/z/")), "");
  EXPECT_EQ(write_file(at("file"), ""), "");
  EXPECT_EQ(make_folder(at("file")), "`" + at("file") + "` is not a folder");
}

TEST_F(Files, ReadsNoMoreThanTheLimit) {
  EXPECT_EQ(write_file(at("a"), std::string(1000, 'x')), "");
  EXPECT_TRUE(read_file(at("a"), 1000).ok());
  EXPECT_FALSE(read_file(at("a"), 999).ok());
}

TEST_F(Files, RefusesFoldersAndMissingFiles) {
  EXPECT_EQ(read_file(at("none")).error, "No such file or directory");
  EXPECT_EQ(read_file(folder.string()).error, "Is a directory");
  EXPECT_FALSE(read_file(std::string("a\0b", 3)).ok());
}

// Nobody writes into the pipe, and the device has no end: neither is opened.
TEST_F(Files, ReadsRegularFilesOnly) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  EXPECT_EQ(read_file(at("pipe")).error, "it is a pipe, and only regular files are read");
  EXPECT_EQ(read_file("/dev/zero").error, "it is a device, and only regular files are read");
  EXPECT_EQ(read_file("/dev/null").error, "it is a device, and only regular files are read");
}

}  // namespace
}  // namespace dtp
