#include "tests/fuzz/mutate.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>

namespace flotsam::fuzz {

const std::vector<std::string>& extremeNumbers()
{
    static const std::vector<std::string> numbers{"0",
                                                  "-0.0",
                                                  "1",
                                                  "-1",
                                                  "2",
                                                  "3",
                                                  "1e300",
                                                  "-1e300",
                                                  "1e-300",
                                                  "nan",
                                                  "-nan",
                                                  "inf",
                                                  "-inf",
                                                  "1e9",
                                                  "-1e9",
                                                  "1e-9",
                                                  "0.5",
                                                  "1e18",
                                                  "2147483647",
                                                  "2147483648",
                                                  "-2147483648",
                                                  "4294967296",
                                                  "9223372036854775807",
                                                  "-9223372036854775808",
                                                  "99999999999999999999",
                                                  "1e38",
                                                  "1e39",
                                                  "1e-38",
                                                  "1e-46",
                                                  "1e308",
                                                  "1e999",
                                                  "0x7fffffff",
                                                  "65536",
                                                  "1000000"};
    return numbers;
}

const std::vector<std::string>& oddValues()
{
    static const std::vector<std::string> values{"\"\"",
                                                 "\"a\"",
                                                 "true",
                                                 "false",
                                                 "[]",
                                                 "{}",
                                                 "[[]]",
                                                 "[0]",
                                                 "[0, 0]",
                                                 "[0, 0, 0]",
                                                 "[1, 1, 1]",
                                                 "[1, 1, 1, 1]",
                                                 "[1e300, 1e300, 1e300]",
                                                 "[nan, nan, nan]",
                                                 "[inf, -inf, 0]",
                                                 "[1, \"a\", true]",
                                                 "[[1, 2], [3]]",
                                                 "{ a = { b = { c = 1 } } }",
                                                 "1979-05-27T07:32:00Z",
                                                 "07:32:00",
                                                 "0b101",
                                                 "'''\nx\n'''",
                                                 "\"\\u0000\"",
                                                 "\"\\u001b[31m\"",
                                                 "\"/dev/zero\"",
                                                 "\"/dev/null\"",
                                                 "\".\"",
                                                 "\"..\"",
                                                 "\"none.obj\"",
                                                 "\"binary.ply\"",
                                                 "\"rigid-fluid\"",
                                                 "\"monolithic\"",
                                                 "\"no-slip\"",
                                                 "[\"+y\"]",
                                                 "[\"+x\", \"-x\", \"+y\", \"-y\", \"+z\", \"-z\"]",
                                                 "{ min_m = [0, 0, 0], max_m = [1, 1, 1] }",
                                                 "{ center_m = [0, 0, 0], radius_m = 1 }",
                                                 "{ radius_m = 1e-300 }",
                                                 "{ file = \"cube.obj\" }",
                                                 "{ file = \"cube.stl\", scale = 1e-9 }",
                                                 "{ depth_m = 0.1, amplitude_m = 1e9 }",
                                                 "\"ball\"",
                                                 "\"universal\"",
                                                 "\"distance\"",
                                                 "\"world\"",
                                                 "[\"ball\", \"cube\"]",
                                                 "[\"d\", \"b\"]",
                                                 "[[0, 0], [1e-300, 1e300]]",
                                                 "{ drive = \"angle\", angle_deg = 1e4 }",
                                                 "{ drive = \"speed\", speed_rad_s = 1e9 }"};
    return values;
}

namespace {

struct Span {
    size_t begin, end;
};

bool isNumberCharacter(char c) { return std::isdigit(static_cast<unsigned char>(c)) || c == '.'; }

std::vector<Span> numbersOf(const std::string& text)
{
    std::vector<Span> found;
    for (size_t i = 0; i < text.size(); ++i) {
        const bool inside_word = i > 0 && (std::isalnum(static_cast<unsigned char>(text[i - 1])) || text[i - 1] == '_');
        if (!isNumberCharacter(text[i]) || inside_word) continue;
        size_t end = i;
        while (end < text.size() && (isNumberCharacter(text[end]) || text[end] == 'e' ||
                                     (text[end] == '-' && end > i && text[end - 1] == 'e')))
            ++end;
        const size_t begin = i > 0 && text[i - 1] == '-' ? i - 1 : i;
        found.push_back({begin, end});
        i = end;
    }
    return found;
}

// A number that a reader may accept: the old one times a factor, or a value near the limits.
std::string scaled(Random& random, const std::string& number)
{
    static const std::vector<std::string> limits{"1e6", "1e-6", "1e5",  "1e4", "1e3",  "1e-3", "1e-8",
                                                 "100", "64",   "4096", "4",   "1e-4", "0.01", "-1e6"};
    static const std::vector<double> factors{-1, 0.999, 1.001, 2, 0.5, 10, 0.1, 100, 0.01, 1e3, 1e-3, 1e6, 1e-6, 1e-9};
    if (random.oneIn(4)) return random.of(limits);
    const double value = std::strtod(number.c_str(), nullptr) * random.of(factors);
    std::ostringstream out;
    out.precision(12);
    out << value;
    return out.str();
}

std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines(1);
    for (const char c : text) {
        lines.back() += c;
        if (c == '\n') lines.emplace_back();
    }
    return lines;
}

std::string joined(const std::vector<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines) text += line;
    return text;
}

void mutateLines(Random& random, std::string& text)
{
    std::vector<std::string> lines = linesOf(text);
    const size_t a = random.below(lines.size()), b = random.below(lines.size());
    const auto at = [&](size_t n) { return lines.begin() + std::ptrdiff_t(n); };
    switch (random.below(5)) {
        case 0:
            lines.erase(at(a));
            break;
        case 1: {
            const std::string copy = lines[a];
            lines.insert(at(b), copy);
            break;
        }
        case 2:
            std::swap(lines[a], lines[b]);
            break;
        case 3: {  // a block repeated many times
            const std::vector<std::string> block(at(std::min(a, b)), at(std::min(std::max(a, b), std::min(a, b) + 6)));
            for (size_t n = random.below(300); n > 0; --n) lines.insert(lines.end(), block.begin(), block.end());
            break;
        }
        default:
            lines.resize(a);
    }
    text = joined(lines);
}

// Replaces the text after one '='.
void mutateValue(Random& random, std::string& text)
{
    std::vector<size_t> equals;
    for (size_t i = 0; i < text.size(); ++i)
        if (text[i] == '=') equals.push_back(i);
    if (equals.empty()) return;
    const size_t begin = random.of(equals) + 1;
    size_t end = begin;
    for (int depth = 0; end < text.size() && text[end] != '\n' && text[end] != '#'; ++end) {
        if (text[end] == '[' || text[end] == '{') ++depth;
        if (text[end] == ']' || text[end] == '}') --depth;
        if (depth < 0 || (depth == 0 && text[end] == ',')) break;
    }
    const std::string value = random.oneIn(3) ? random.of(extremeNumbers()) : random.of(oddValues());
    text.replace(begin, end - begin, " " + value);
}

// A key with one letter more or less, or another key of the same scene.
void mutateKey(Random& random, std::string& text)
{
    std::vector<Span> keys;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '=') continue;
        size_t end = i;
        while (end > 0 && text[end - 1] == ' ') --end;
        size_t begin = end;
        while (begin > 0 && (std::isalnum(static_cast<unsigned char>(text[begin - 1])) || text[begin - 1] == '_'))
            --begin;
        if (begin < end) keys.push_back({begin, end});
    }
    if (keys.empty()) return;
    const Span a = random.of(keys), b = random.of(keys);
    std::string key = text.substr(b.begin, b.end - b.begin);
    if (random.oneIn(3)) key.insert(random.below(key.size() + 1), 1, random.byte());
    if (random.oneIn(3)) key += "." + key;
    text.replace(a.begin, a.end - a.begin, key);
}

// Tables where none is expected, and deep nesting that strains recursion.
void mutateTables(Random& random, std::string& text)
{
    static const std::vector<std::string> tables{"[domain]\n",
                                                 "[[domain]]\n",
                                                 "[liquid]\n",
                                                 "[[liquid.region]]\n",
                                                 "[liquid.region]\n",
                                                 "[[solid]]\n",
                                                 "[[body]]\n",
                                                 "[body]\n",
                                                 "[body.body.body]\n",
                                                 "[heat]\n",
                                                 "[[heat.source]]\n",
                                                 "[heat.viscosity]\n",
                                                 "[coupling]\n",
                                                 "[tracers]\n",
                                                 "[surface]\n",
                                                 "[output]\n",
                                                 "[render]\n",
                                                 "[[joint]]\n",
                                                 "[]\n",
                                                 "[[]]\n",
                                                 "[\"\"]\n",
                                                 "[ a . b ]\n"};
    std::string added = random.of(tables);
    if (random.oneIn(8)) {
        const size_t depth = 1 + random.below(5000);
        added = "x = " + std::string(depth, '[') + std::string(depth, ']') + "\n";
    } else if (random.oneIn(8)) {
        added = "[a";
        for (size_t n = random.below(5000); n > 0; --n) added += ".a";
        added += "]\n";
    }
    std::vector<std::string> lines = linesOf(text);
    lines.insert(lines.begin() + std::ptrdiff_t(random.below(lines.size())), added);
    text = joined(lines);
}

}  // namespace

void mutateBytes(Random& random, std::string& bytes)
{
    if (bytes.empty()) bytes = "\n";
    const size_t at = random.below(bytes.size()), length = 1 + random.below(std::min<size_t>(16, bytes.size() - at));
    switch (random.below(7)) {
        case 0:
            bytes[at] = random.byte();
            break;
        case 1:
            bytes[at] = char(bytes[at] ^ (1 << random.below(8)));
            break;
        case 2:
            bytes.erase(at, length);
            break;
        case 3:
            bytes.insert(at, bytes.substr(random.below(bytes.size()), length));
            break;
        case 4:
            bytes.insert(at, 1, char(random.below(32)));  // a control character
            break;
        case 5:
            for (size_t i = at; i < std::min(bytes.size(), at + 8); ++i) bytes[i] = random.oneIn(2) ? '\xff' : '\0';
            break;
        default:
            bytes.resize(at);
    }
}

void mutateNumber(Random& random, std::string& text)
{
    const std::vector<Span> numbers = numbersOf(text);
    if (numbers.empty()) return mutateBytes(random, text);
    const Span span = random.of(numbers);
    const std::string old = text.substr(span.begin, span.end - span.begin);
    text.replace(span.begin, span.end - span.begin,
                 random.oneIn(3) ? random.of(extremeNumbers()) : scaled(random, old));
}

void mutateScene(Random& random, std::string& toml)
{
    switch (random.below(10)) {
        case 0:
            return mutateBytes(random, toml);
        case 1:
        case 2:
            return mutateLines(random, toml);
        case 3:
            return mutateValue(random, toml);
        case 4:
            return mutateKey(random, toml);
        case 5:
            return mutateTables(random, toml);
        default:
            return mutateNumber(random, toml);
    }
}

void mutateArguments(Random& random, std::vector<std::string>& arguments)
{
    static const std::vector<std::string> words{"",
                                                "-",
                                                "--",
                                                "---",
                                                "--set",
                                                "--seconds",
                                                "--threads",
                                                "--resume",
                                                "--progress",
                                                "json",
                                                "--frames",
                                                "0-1",
                                                "5-2",
                                                "-1",
                                                "--size",
                                                "1x1",
                                                "0x0",
                                                "99999x99999",
                                                "--quality",
                                                "draft",
                                                "--set=",
                                                "--set=domain.cells=[4,4,4]",
                                                "=",
                                                "a=b",
                                                "domain.cells",
                                                "domain.cells=",
                                                "domain.cells=[4,4",
                                                "domain.cells.0=4",
                                                "domain.cells.9=4",
                                                "time.seconds=nan",
                                                "body.0.position_m=[nan,0,0]",
                                                "body.99.name=1",
                                                "solid.-1.name=x",
                                                "liquid.region.0.box={}",
                                                "a.b.c.d.e=[1,{}]",
                                                "x",
                                                "output.volume=1",
                                                "output.checkpoint_every_frames=0",
                                                "tracers.count=2147483648",
                                                "\x1b[31m",
                                                "\xff\xfe",
                                                "100%",
                                                "{}",
                                                "{0}",
                                                "%s%n",
                                                "--help",
                                                "--version",
                                                "--out=",
                                                "--threads=2",
                                                "--progress=none",
                                                "cube.obj",
                                                "no.toml",
                                                "run"};
    const size_t at = arguments.empty() ? 0 : random.below(arguments.size());
    const auto place = arguments.begin() + std::ptrdiff_t(at);
    switch (arguments.empty() ? 1 : random.below(6)) {
        case 0:
            arguments.erase(place);
            break;
        case 1:
            arguments.insert(place, random.of(words));
            break;
        case 2:
            arguments.insert(place, std::string(arguments[random.below(arguments.size())]));
            break;
        case 3:
            std::swap(arguments[at], arguments[random.below(arguments.size())]);
            break;
        case 4:
            arguments[at] = random.oneIn(2) ? random.of(words) : random.of(extremeNumbers());
            break;
        default:
            mutateNumber(random, arguments[at]);
    }
}

}  // namespace flotsam::fuzz
