#include "cache/safe_file.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/unit/temporary_folder.h"

namespace flotsam {
namespace {

namespace fs = std::filesystem;

template <class Action>
std::string ioErrorOf(const Action& action)
{
    try {
        action();
    } catch (const IoError& e) {
        return e.what();
    }
    return {};
}

TEST(SafeFile, WhatWasWrittenIsReadBack)
{
    const TemporaryFolder folder;
    const std::string bytes("a\0b\r\n\xff", 6);
    writeFileAtomically(folder.path / "file", bytes);
    EXPECT_EQ(readWholeFile(folder.path / "file"), bytes);
    writeFileAtomically(folder.path / "file", "");
    EXPECT_EQ(readWholeFile(folder.path / "file"), "");
}

TEST(SafeFile, NoPartIsLeftAfterSuccess)
{
    const TemporaryFolder folder;
    folder.add("file.part", "left by a killed process, longer than the new content");
    writeFileAtomically(folder.path / "file", "new");
    EXPECT_EQ(readWholeFile(folder.path / "file"), "new");
    EXPECT_FALSE(fs::exists(folder.path / "file.part"));
}

TEST(SafeFile, AFullDiskIsAnErrorThatKeepsTheOldFile)
{
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
    const TemporaryFolder folder;
    folder.add("file", "old");
    fs::create_symlink("/dev/full", folder.path / "file.part");
    const std::string message = ioErrorOf([&] { writeFileAtomically(folder.path / "file", "new"); });
    EXPECT_NE(message.find("No space left on device"), std::string::npos) << message;
    EXPECT_NE(message.find((folder.path / "file").string()), std::string::npos) << message;
    EXPECT_EQ(readWholeFile(folder.path / "file"), "old");
    EXPECT_FALSE(fs::is_symlink(folder.path / "file.part"));
}

TEST(SafeFile, AParentThatIsAFileIsAnError)
{
    const TemporaryFolder folder;
    const std::string parent = folder.add("parent", "");
    const std::string message = ioErrorOf([&] { writeFileAtomically(parent + "/file", "new"); });
    EXPECT_NE(message.find("Not a directory"), std::string::npos) << message;
}

TEST(SafeFile, AFolderInTheWayIsAnErrorAndNoPartIsLeft)
{
    const TemporaryFolder folder;
    fs::create_directory(folder.path / "file");
    const std::string message = ioErrorOf([&] { writeFileAtomically(folder.path / "file", "new"); });
    EXPECT_NE(message.find("directory"), std::string::npos) << message;
    EXPECT_FALSE(fs::exists(folder.path / "file.part"));
}

TEST(SafeFile, ReadingAMissingFileOrAFolderIsAnError)
{
    const TemporaryFolder folder;
    EXPECT_NE(ioErrorOf([&] { readWholeFile(folder.path / "none"); }).find("No such file"), std::string::npos);
    EXPECT_NE(ioErrorOf([&] { readWholeFile(folder.path); }).find("directory"), std::string::npos);
}

}  // namespace
}  // namespace flotsam
