// Runs the program in a separate folder and captures its output.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace flotsam {

struct Outcome {
    int code = -1;
    std::string out, err;
};

inline std::string readAll(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

class Program : public ::testing::Test {
protected:
    void SetUp() override
    {
        const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
        const std::string name = "flotsam_cli_" + std::to_string(getpid()) + "_" + info->name();
        folder = std::filesystem::temp_directory_path() / name;
        said = folder.string() + ".said";
        std::filesystem::create_directories(folder);
        std::filesystem::create_directories(said);
    }
    void TearDown() override
    {
        std::filesystem::remove_all(folder);
        std::filesystem::remove_all(said);
    }

    void write(const std::string& name, const std::string& text) { std::ofstream(folder / name) << text; }

    // Arguments as in a shell.
    Outcome run(const std::string& arguments) const
    {
        const std::string command = "cd '" + folder.string() + "' && '" FLOTSAM_PROGRAM "' " + arguments + " >'" +
                                    said.string() + "/out' 2>'" + said.string() + "/err' </dev/null";
        const int status = std::system(command.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, readAll(said / "out"), readAll(said / "err")};
    }

    // Sends the signal when the program has printed its first line; returns its exit code.
    int signalAfterFirstLine(const std::vector<std::string>& arguments, int signal_number) const
    {
        int ends[2];
        if (pipe(ends) != 0) return -1;
        const pid_t child = fork();
        if (child == 0) {
            std::vector<char*> argv{const_cast<char*>(FLOTSAM_PROGRAM)};
            for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
            argv.push_back(nullptr);
            for (const int s : {SIGINT, SIGTERM, SIGHUP}) signal(s, SIG_DFL);  // nohup may have disabled one
            dup2(ends[1], STDOUT_FILENO);
            if (!std::freopen((said / "err").c_str(), "w", stderr)) _exit(127);
            close(ends[0]);
            close(ends[1]);
            if (chdir(folder.c_str()) == 0) execv(FLOTSAM_PROGRAM, argv.data());
            _exit(127);
        }
        close(ends[1]);
        char byte = 0;
        while (read(ends[0], &byte, 1) == 1 && byte != '\n') {
        }
        kill(child, signal_number);
        while (read(ends[0], &byte, 1) == 1) {
        }
        close(ends[0]);
        int status = 0;
        waitpid(child, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

    std::vector<std::string> filesHere() const
    {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            names.push_back(entry.path().filename().string());
        std::sort(names.begin(), names.end());
        return names;
    }

    std::filesystem::path folder, said;
};

}  // namespace flotsam
