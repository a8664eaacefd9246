// Tests of the program as a user runs it: exit codes, messages, and that bad input writes nothing.
#include <regex>

#include "tests/cli/program.h"

namespace flotsam {
namespace {

namespace fs = std::filesystem;

const std::string tiny = R"(title = "Tiny tank"
[domain]
cells = [16, 16, 16]
[time]
seconds = 0.1
fps = 30
[[liquid.region]]
box = { min_m = [0, 0, 0], max_m = [0.5, 0.5, 1] }
)";

class Cli : public Program {
protected:
    void SetUp() override
    {
        Program::SetUp();
        write("tiny.toml", tiny);
    }

    void expectBadInput(const std::string& arguments, const std::string& message)
    {
        const std::vector<std::string> before = filesHere();
        const Outcome o = run(arguments);
        EXPECT_EQ(o.code, 2) << arguments << "\n" << o.err;
        EXPECT_NE(o.err.find(message), o.err.npos) << arguments << "\nexpected: " << message << "\nfound:    " << o.err;
        EXPECT_EQ(filesHere(), before) << arguments;
    }

    // The tiny scene with one text replaced by another.
    void expectBadScene(const std::string& what, const std::string& instead, const std::string& message)
    {
        std::string text = tiny;
        const size_t at = text.find(what);
        ASSERT_NE(at, text.npos) << what;
        write("bad.toml", text.replace(at, what.size(), instead));
        expectBadInput("run bad.toml", message);
        expectBadInput("check bad.toml", message);
    }
};

TEST_F(Cli, VersionAndHelpAreExitCode0)
{
    const Outcome version = run("--version");
    EXPECT_EQ(version.code, 0);
    EXPECT_TRUE(version.out.starts_with("flotsam ")) << version.out;
    for (const char* command : {"", "run", "check", "render", "info", "validate", "bench"}) {
        const Outcome help = run(std::string(command) + " --help");
        EXPECT_EQ(help.code, 0) << command;
        EXPECT_NE(help.out.find("Usage: flotsam"), help.out.npos) << command;
    }
}

TEST_F(Cli, AMistakeInTheCommandLineIsExitCode2)
{
    expectBadInput("", "Usage: flotsam");
    expectBadInput("rnu tiny.toml", "there is no command 'rnu'; did you mean 'run'?");
    expectBadInput("run", "scene is required");
    expectBadInput("run tiny.toml --frobnicate", "--frobnicate");
    expectBadInput("run tiny.toml another.toml", "another.toml");
    expectBadInput("run tiny.toml --progress loud", "--progress");
    expectBadInput("run tiny.toml --threads 0", "--threads");
    expectBadInput("run tiny.toml --threads -2", "--threads");
    expectBadInput("run tiny.toml --threads 1000000", "--threads");
    expectBadInput("run tiny.toml --threads two", "--threads");
    expectBadInput("run tiny.toml --seconds soon", "--seconds");
    expectBadInput("run tiny.toml --seconds -1", "--seconds -1: time.seconds is -1");
    expectBadInput("run tiny.toml --seconds 0", "time.seconds is 0");
    expectBadInput("run tiny.toml --seconds nan", "time.seconds is nan");
    expectBadInput("run tiny.toml --out tiny.toml", "--out tiny.toml: this is a file; give a folder");
    expectBadInput("run none.toml", "none.toml: there is no such scene file");
    expectBadInput("run .", "this is a folder");
    expectBadInput("run /dev/null", "/dev/null: the file is empty");
    expectBadInput("run /dev/zero", "/dev/zero: this is longer than");
}

TEST_F(Cli, AMistakeInASceneIsExitCode2WithFileAndLine)
{
    expectBadScene("cells =", "cels =", "bad.toml:3: unknown key 'domain.cels'; did you mean 'domain.cells'?");
    expectBadScene("[domain]", "[domain", "bad.toml:2: ");
    expectBadScene("[16, 16, 16]", "\"many\"",
                   "bad.toml:3: domain.cells has the wrong type: found the string \"many\"");
    expectBadScene("[16, 16, 16]", "[0, 16, 16]", "bad.toml:3: domain.cells is 0 along x");
    expectBadScene("[16, 16, 16]", "[16, -16, 16]", "domain.cells is -16 along y");
    expectBadScene("[16, 16, 16]", "[100000, 16, 16]", "domain.cells is 100000 along x");
    expectBadScene("[16, 16, 16]", "[4096, 4096, 4096]", "million cells");
    expectBadScene("fps = 30", "fps = 0", "bad.toml:6: time.fps is 0");
    expectBadScene("fps = 30", "cfl = 9", "time.cfl is 9");
    expectBadScene("seconds = 0.1", "seconds = inf", "time.seconds is inf");
    expectBadScene("[0.5, 0.5, 1]", "[0.5, nan, 1]", "max_m.1 is nan");
    expectBadScene("[0.5, 0.5, 1]", "[0.5, 0, 1]", "is empty along y");
    expectBadScene("[0.5, 0.5, 1]", "[1e9, 0.5, 1]", "max_m.0 is 1000000000");
    expectBadScene("box = { min_m = [0, 0, 0], max_m = [0.5, 0.5, 1] }", "mesh = { file = \"none.obj\" }",
                   "there is no mesh file");
    expectBadScene("box = { min_m = [0, 0, 0], max_m = [0.5, 0.5, 1] }", "velocity_m_s = [0, 0, 0]", "has no shape");
    expectBadScene("box =", "temperature_K = -300\nbox =", "temperature_K is -300; it must be above 0");
    expectBadScene("[[liquid.region]]", "[[body]]", "unknown key 'body.0.box.max_m'");
}

TEST_F(Cli, ASceneWithoutLiquidIsExitCode2)
{
    expectBadScene("[0, 0, 0], max_m = [0.5, 0.5, 1]", "[5, 5, 5], max_m = [6, 6, 6]",
                   "no liquid: every region lies outside");
    write("dry.toml", "[domain]\ncells = [16, 16, 16]\n");
    expectBadInput("run dry.toml", "there is no liquid at all");
    write("full.toml", tiny + "[[solid]]\nsphere = { center_m = [0.5, 0.5, 0.5], radius_m = 9 }\n");
    expectBadInput("run full.toml", "solids fill the whole domain");
    write("blocked.toml", tiny +
                              "[[liquid.source]]\nsphere = { center_m = [0.8, 0.8, 0.5], radius_m = 0.1 }\n"
                              "[[solid]]\nsphere = { center_m = [0.8, 0.8, 0.5], radius_m = 0.15 }\n");
    expectBadInput("run blocked.toml", "blocked.toml:9: liquid.source.0 lies wholly inside solids");
}

TEST_F(Cli, AnOpenMeshIsExitCode2)
{
    write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    write("open.toml", tiny + "[[solid]]\nmesh = { file = \"open.obj\" }\n");
    expectBadInput("run open.toml", "open.toml:9: ");
    expectBadInput("check open.toml", "open.obj");
}

TEST_F(Cli, AMeshErrorOfABodyHasTheLineOfTheScene)
{
    const std::string rest = "\" }\ndensity_kg_m3 = 500\nposition_m = [0.7, 0.7, 0.5]\n";
    write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    write("open.toml", tiny + "[[body]]\nmesh = { file = \"open.obj" + rest);
    expectBadInput("check open.toml", "open.toml:9: body \"body1\": ");
    write("empty.obj", "");
    write("empty.toml", tiny + "[[body]]\nmesh = { file = \"empty.obj" + rest);
    expectBadInput("run empty.toml", "empty.toml:9: body \"body1\": ");
}

TEST_F(Cli, AMeshFileMayHaveItsEndingInCapitals)
{
    write("WEDGE.OBJ", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    write("wedge.toml", tiny +
                            "[[solid]]\nmesh = { file = \"WEDGE.OBJ\", scale = 0.3, position_m = [0.6, 0.1, 0.1] }\n"
                            "[[body]]\nmesh = { file = \"WEDGE.OBJ\", scale = 0.2 }\ndensity_kg_m3 = 500\n"
                            "position_m = [0.7, 0.7, 0.7]\n");
    const Outcome o = run("check wedge.toml");
    EXPECT_EQ(o.code, 0) << o.err;
}

TEST_F(Cli, ControlCharactersOfATitleOrAFileNameDoNotReachTheTerminal)
{
    std::string text = tiny;
    write("title.toml", text.replace(text.find("Tiny"), 4, "A\\u001b[31mB\\u009bC"));
    const Outcome title = run("check title.toml");
    EXPECT_EQ(title.code, 0) << title.err;
    EXPECT_TRUE(title.out.starts_with("A\\x1B[31mB\\x9BC tank\n")) << title.out;
    write("mesh.toml", tiny + "[[solid]]\nmesh = { file = \"no\\u001b]0;x\\u0007.obj\" }\n");
    const Outcome mesh = run("check mesh.toml");
    EXPECT_EQ(mesh.code, 2);
    EXPECT_EQ(mesh.err.find('\x1b'), mesh.err.npos) << mesh.err;
    EXPECT_NE(mesh.err.find("no\\x1B]0;x\\x07.obj"), mesh.err.npos) << mesh.err;
}

TEST_F(Cli, AMistakeInAnOverrideNamesTheOverride)
{
    expectBadInput("run tiny.toml --set 'domain.cels=[8,8,8]'",
                   "--set domain.cels=[8,8,8]: unknown key 'domain.cels'; did you mean 'domain.cells'?");
    expectBadInput("run tiny.toml --set domain.cells", "this is not key=value");
    expectBadInput("run tiny.toml --set time.fps=-3", "--set time.fps=-3: time.fps is -3");
    expectBadInput("run tiny.toml --set 'solid.0.velocity_m_s=[1,0,0]'", "--set solid.0.velocity_m_s=[1,0,0]");
}

TEST_F(Cli, CheckPrintsATableAndWarningsAreNoFailure)
{
    const Outcome o = run("check tiny.toml --set liquid.density_kg_m3=1");
    EXPECT_EQ(o.code, 0);
    EXPECT_NE(o.out.find("16 x 16 x 16 = 4096 cells"), o.out.npos) << o.out;
    EXPECT_NE(o.out.find("1024 cells (25.0 %)"), o.out.npos) << o.out;
    EXPECT_NE(o.err.find("is it in g/cm3"), o.err.npos) << o.err;
    EXPECT_EQ(filesHere(), std::vector<std::string>{"tiny.toml"});
}

TEST_F(Cli, InfoAndRenderOfWhatIsNoRunAreExitCode2)
{
    expectBadInput("info none", "none: no such folder");
    expectBadInput("info .", "not the output folder of a run");
    expectBadInput("render none", "not the output folder of a run");
    expectBadInput("render . --frames 5-2", "--frames 5-2: the range ends before it starts");
    expectBadInput("render . --frames all", "--frames all: not a range of frames");
    expectBadInput("render . --size 960", "--size 960: not a size");
    expectBadInput("render . --size 0x540", "--size 0x540: each side must be");
    expectBadInput("render . --quality best", "--quality");
}

TEST_F(Cli, UnknownCasesAndBenchmarksAreExitCode2)
{
    expectBadInput("validate no-such-case", "there is no 'no-such-case'");
    expectBadInput("bench no-such-bench", "there is no 'no-such-bench'");
    EXPECT_EQ(run("validate --list").code, 0);
    EXPECT_EQ(run("bench --list").code, 0);
}

TEST_F(Cli, ARunWritesItsFolderAndInfoDescribesIt)
{
    const Outcome o = run("run tiny.toml");
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.out.find("Next: " FLOTSAM_PROGRAM " render out/tiny"), o.out.npos) << o.out;
    for (const char* file : {"scene.toml", "ledger.jsonl", "frames/0000.ply", "frames/0003.ply"})
        EXPECT_TRUE(fs::exists(folder / "out/tiny" / file)) << file;
    const Outcome info = run("info out/tiny");
    EXPECT_EQ(info.code, 0) << info.err;
    EXPECT_NE(info.out.find("Tiny tank"), info.out.npos) << info.out;
    EXPECT_NE(info.out.find("finished"), info.out.npos) << info.out;
    EXPECT_EQ(info.out.find("not finished"), info.out.npos) << info.out;
}

TEST_F(Cli, ATwoDimensionalSceneWithBodiesRunsWithAndWithoutLiquid)
{
    const std::string bodies =
        "[[body]]\nname = \"disk\"\nsphere = { radius_m = 0.1 }\ndensity_kg_m3 = 500\nposition_m = [0.3, 0.4, 0]\n"
        "[[body]]\nbox = { size_m = [0.2, 0.1, 1] }\ndensity_kg_m3 = 500\nposition_m = [0.7, 0.4, 0]\n";
    write("dry.toml", "[domain]\ncells = [16, 16, 1]\n[time]\nseconds = 0.1\nfps = 30\n" + bodies);
    write("wet.toml", tiny + bodies);
    for (const std::string scene : {"dry.toml", "wet.toml --set domain.cells=[16,16,1]"}) {
        EXPECT_EQ(run("check " + scene).code, 0) << scene;
        const Outcome o = run("run " + scene + " --out out");
        EXPECT_EQ(o.code, 0) << o.err;
        EXPECT_TRUE(fs::exists(folder / "out" / "meshes" / "disk.ply"));
        EXPECT_EQ(run("run out/scene.toml --out again").code, 0);
        EXPECT_EQ(readAll(folder / "out" / "bodies.csv"), readAll(folder / "again" / "bodies.csv"));
    }
}

TEST_F(Cli, InfoReadsALedgerWhoseLastLineIsHalfWritten)
{
    ASSERT_EQ(run("run tiny.toml --out r").code, 0);
    std::ofstream(folder / "r/ledger.jsonl", std::ios::app) << "{\"step\": 99, \"fra";
    const Outcome info = run("info r");
    EXPECT_EQ(info.code, 0) << info.err;
    EXPECT_NE(info.out.find("1 line could not be read"), info.out.npos) << info.out;
}

TEST_F(Cli, InfoAndTheEndOfARunTellWhatTheVolumeCorrectionGaveBackAndWhatTheFastestLiquidIs)
{
    const Outcome o = run("run tiny.toml --out r");
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.out.find("Volume redistributed: "), o.out.npos) << o.out;
    const Outcome info = run("info r");
    EXPECT_NE(info.out.find("redistributed"), info.out.npos) << info.out;
    EXPECT_NE(info.out.find("% of the liquid; lost by the surface: "), info.out.npos) << info.out;
    EXPECT_NE(info.out.find("m; a fall from the highest liquid gives at most"), info.out.npos) << info.out;
    EXPECT_NE(info.out.find(": explained"), info.out.npos) << info.out;
    EXPECT_EQ(info.err, "");
}

TEST_F(Cli, InfoWarnsWhereMuchWasGivenBackAndWhereEnergyDoesNotAllowTheSpeed)
{
    ASSERT_EQ(run("run tiny.toml --out r --progress none").code, 0);
    std::string ledger = readAll(folder / "r/ledger.jsonl");
    ledger =
        std::regex_replace(ledger, std::regex(R"re("volume_given_back_m3":[^,]*)re"), "\"volume_given_back_m3\":1");
    ledger = std::regex_replace(ledger, std::regex(R"re("energy_speed_m_s":[^,]*)re"), "\"energy_speed_m_s\":0.001");
    write("r/ledger.jsonl", ledger);
    const Outcome info = run("info r");
    EXPECT_EQ(info.code, 0);
    EXPECT_NE(info.out.find("more than energy allows on average; a jet, or an artefact of the grid"), info.out.npos)
        << info.out;
    EXPECT_NE(info.err.find("Likely cause: sheets, drops or gaps"), info.err.npos) << info.err;
    const std::string wall = "[[solid]]\nname = \"wall\"\nbox = { min_m = [0.7, -1, -1], max_m = [0.75, 2, 2] }\n";
    write("r/scene.toml", readAll(folder / "r/scene.toml") + wall);
    EXPECT_NE(run("info r").err.find("Likely cause: solid \"wall\" is thinner than two cells"), std::string::npos);
}

TEST_F(Cli, InfoReadsALedgerOfAnOlderVersion)
{
    ASSERT_EQ(run("run tiny.toml --out r --progress none").code, 0);
    const std::regex newer(
        R"re("(volume_given_back_m3|volume_lost_m3|max_speed_of|max_speed_at_m|energy_speed_m_s)":(\[[^\]]*\]|[^,]*),)re");
    write("r/ledger.jsonl", std::regex_replace(readAll(folder / "r/ledger.jsonl"), newer, ""));
    const Outcome info = run("info r");
    EXPECT_EQ(info.code, 0) << info.err;
    EXPECT_EQ(info.out.find("redistributed"), info.out.npos) << info.out;
    EXPECT_EQ(info.out.find("could not be read"), info.out.npos) << info.out;
    EXPECT_NE(info.out.find("fastest         "), info.out.npos) << info.out;
}

TEST_F(Cli, OverridesReachTheRun)
{
    ASSERT_EQ(run("run tiny.toml --out r --seconds 0.05 --set 'domain.cells=[8,8,8]' --progress none").code, 0);
    const std::string resolved = readAll(folder / "r/scene.toml");
    EXPECT_NE(resolved.find("cells = [8, 8, 8]"), resolved.npos) << resolved;
    EXPECT_NE(resolved.find("seconds = 0.05"), resolved.npos) << resolved;
}

TEST_F(Cli, ProgressNoneIsSilentAndJsonIsOneObjectALine)
{
    const Outcome silent = run("run tiny.toml --out a --progress none");
    EXPECT_EQ(silent.code, 0);
    EXPECT_EQ(silent.out + silent.err, "");
    const Outcome json = run("run tiny.toml --out b --progress json");
    EXPECT_EQ(json.code, 0);
    std::istringstream lines(json.out);
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count)
        EXPECT_TRUE(line.starts_with("{\"step\":") && line.ends_with("}")) << line;
    EXPECT_GE(count, 3);
}

TEST_F(Cli, TheTimeLeftIsNeverNegative)
{
    // The second frame ends at 0.0333 s.
    const Outcome json = run("run tiny.toml --set time.fps=60 --seconds 0.03 --progress json");
    EXPECT_EQ(json.code, 0);
    EXPECT_NE(json.out.find("\"left_s\":0.0,"), json.out.npos) << json.out;
    EXPECT_EQ(json.out.find("\"left_s\":-"), json.out.npos) << json.out;
}

TEST_F(Cli, TheResolvedSceneRunsAgainAndGivesTheSameFrames)
{
    ASSERT_EQ(run("run tiny.toml --out a --progress none").code, 0);
    ASSERT_EQ(run("run a/scene.toml --out b --progress none").code, 0);
    ASSERT_TRUE(fs::exists(folder / "a/frames/0003.ply"));
    EXPECT_EQ(readAll(folder / "a/frames/0003.ply"), readAll(folder / "b/frames/0003.ply"));
}

TEST_F(Cli, AnOutputFolderThatCannotBeMadeIsExitCode4)
{
    const Outcome o = run("run tiny.toml --out /dev/null/out");
    EXPECT_EQ(o.code, 4) << o.err;
}

// The error must come before the measurements, which may take an hour.
TEST_F(Cli, AJsonFileThatCannotBeWrittenIsSaidAtOnce)
{
    const Outcome o = run("validate --json nowhere/results.json");
    EXPECT_EQ(o.code, 4) << o.err;
    EXPECT_EQ(o.out, "");
    EXPECT_NE(o.err.find("nowhere/results.json"), std::string::npos) << o.err;
}

TEST_F(Cli, AFullDiskBehindTheOutputIsExitCode4)
{
    EXPECT_EQ(run("check tiny.toml >/dev/full; exit $?; true").code, 4);
}

TEST_F(Cli, ClosedStreamsAndAFullErrorStreamEndNoRun)
{
    const std::string end = "; exit $?; true";
    EXPECT_EQ(run("run tiny.toml --out a >&- 2>&-" + end).code, 0);
    EXPECT_EQ(run("run tiny.toml --out a >/dev/null 2>/dev/full" + end).code, 0);  // a message: the folder has a run
    EXPECT_EQ(run("run none.toml >&- 2>&-" + end).code, 2);
    EXPECT_EQ(run("run none.toml 2>/dev/full" + end).code, 2);
    ASSERT_EQ(run("run tiny.toml --out b --progress none").code, 0);
    EXPECT_EQ(readAll(folder / "a/bodies.csv"), readAll(folder / "b/bodies.csv"));
    EXPECT_EQ(readAll(folder / "a/scene.toml"), readAll(folder / "b/scene.toml"));
}

// Libraries start threads before main; if the system refuses them, the exception cannot be caught.
TEST_F(Cli, TooLittleMemoryIsAMessageAndNoAbort)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers reserve address space that they never use";
#endif
    for (const char* kB : {"80000", "100000", "120000"}) {
        const Outcome o = run("--version >/dev/null; (ulimit -v " + std::string(kB) +
                              "; '" FLOTSAM_PROGRAM "' run tiny.toml --out r) >/dev/null 2>said; exit $?; true");
        const std::string message = readAll(folder / "said");
        EXPECT_LT(o.code, 128) << message;  // 134: aborted
        EXPECT_EQ(message.find("terminate called"), message.npos) << message;
    }
}

TEST_F(Cli, ATerminalThatClosesLeavesACheckpoint)
{
    const std::vector<std::string> arguments{"run",   "tiny.toml", "--set",      "time.seconds=2",
                                             "--out", "r",         "--progress", "json"};
    EXPECT_EQ(signalAfterFirstLine(arguments, SIGHUP), 130);
    const std::string steps = readAll(folder / "r/ledger.jsonl");
    EXPECT_EQ(run("run tiny.toml --set time.seconds=2 --out r --progress none --resume").code, 0);
    EXPECT_FALSE(steps.empty());
    EXPECT_TRUE(readAll(folder / "r/ledger.jsonl").starts_with(steps));  // no step was done twice
}

TEST_F(Cli, HintsRepeatTheProgramAsItWasTypedAndKeepRender)
{
    fs::create_symlink(FLOTSAM_PROGRAM, folder / "my flotsam");
    run("--version >/dev/null; './my flotsam' rnu >said 2>&1; true");
    EXPECT_NE(readAll(folder / "said").find("there is no command 'rnu'"), std::string::npos);
    run("--version >/dev/null; './my flotsam' run tiny.toml --out r >said 2>&1; true");
    EXPECT_NE(readAll(folder / "said").find("Next: './my flotsam' render r"), std::string::npos);
    // A limit on file size acts like a full disk.
    run("--version >/dev/null; trap '' XFSZ; ulimit -f 40; './my flotsam' run tiny.toml --out f --seconds 2 --render "
        ">said 2>&1; echo $? >code; true");
    const std::string said_here = readAll(folder / "said");
    EXPECT_EQ(readAll(folder / "code"), "4\n") << said_here;
    EXPECT_NE(said_here.find("\nFree space, then continue with: './my flotsam' run tiny.toml --out f --seconds 2 "
                             "--resume --render\n"),
              said_here.npos)
        << said_here;
}

TEST_F(Cli, InfoOfARunThatGoesOnPrintsHowFarItIs)
{
    const std::string here = "cd '" + folder.string() + "'; ";
    run("run tiny.toml --out r --seconds 20 --progress none & child=$!; " + here +
        "for i in $(seq 200); do [ -s r/ledger.jsonl ] && break; sleep 0.05; done; '" FLOTSAM_PROGRAM
        "' info r >said; kill $child; wait $child; true");
    const std::string info = readAll(folder / "said");
    EXPECT_TRUE(std::regex_search(info, std::regex("running: [0-9]+ % of 20 s, about [0-9:]+ left"))) << info;
}

TEST_F(Cli, AResumedRunThatIsPastItsEndIsExitCode2)
{
    ASSERT_EQ(run("run tiny.toml --out r --progress none").code, 0);
    expectBadInput("run tiny.toml --out r --seconds 0.05 --resume", "r: the run is at frame 3 already, past the last");
    EXPECT_NE(run("info r").out.find("finished"), std::string::npos);
}

TEST_F(Cli, CtrlCDuringARenderNamesTheCommandThatContinues)
{
    ASSERT_EQ(run("run tiny.toml --out r --progress none --seconds 0.5").code, 0);
    EXPECT_EQ(signalAfterFirstLine({"render", "r", "--frames", "1-14", "--size", "640x360"}, SIGTERM), 130);
    const std::string err = readAll(said / "err");
    EXPECT_NE(err.find("Continue with: " FLOTSAM_PROGRAM " render r --frames 1-14 --size 640x360 --quality draft"),
              err.npos)
        << err;
}

TEST_F(Cli, CtrlCIsExitCode130AndResumeGoesOn)
{
    const std::string longer = "--set time.seconds=2 --out r --progress json";
    const std::vector<std::string> arguments{"run",   "tiny.toml", "--set",      "time.seconds=2",
                                             "--out", "r",         "--progress", "json"};
    EXPECT_EQ(signalAfterFirstLine(arguments, SIGINT), 130);
    EXPECT_NE(run("info r").out.find("not finished; '" FLOTSAM_PROGRAM " run ... --resume' continues"),
              std::string::npos);
    EXPECT_EQ(run("run tiny.toml " + longer + " --resume").code, 0);
    EXPECT_EQ(run("info r").out.find("not finished"), std::string::npos);
}

}  // namespace
}  // namespace flotsam
