#include "cache/body_poses.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <unordered_map>

#include "core/error.h"

namespace flotsam {

namespace {

// The next field of a row; the row is empty after the last one.
std::string_view takeField(std::string_view& row)
{
    const size_t end = std::min(row.find(','), row.size());
    const std::string_view field = row.substr(0, end);
    row.remove_prefix(std::min(end + 1, row.size()));
    return field;
}

double takeNumber(std::string_view& row)
{
    const std::string_view field = takeField(row);
    double value = 0;
    std::from_chars(field.data(), field.data() + field.size(), value);
    return value;
}

}  // namespace

std::vector<std::vector<BodyPose>> readBodyPoses(const std::filesystem::path& csv,
                                                 const std::vector<std::string>& names, double fps)
{
    std::ifstream in(csv);
    if (!in) throw IoError(fmt::format("{}: cannot be read; run the scene again", csv.string()));
    std::unordered_map<std::string, size_t> index;
    for (size_t i = 0; i < names.size(); ++i) index[names[i]] = i;
    std::vector<std::vector<BodyPose>> frames;
    std::string line;
    std::getline(in, line);  // the header
    while (std::getline(in, line)) {
        std::string_view row = line;
        takeField(row);  // step
        const double t_s = takeNumber(row), frame = std::round(t_s * fps);
        if (std::abs(t_s - frame / fps) > 1e-9 * (1 + t_s)) continue;
        const auto body = index.find(std::string(takeField(row)));
        if (body == index.end() || frame < 0 || frame > 1e7) continue;
        if (frames.size() <= size_t(frame)) frames.resize(size_t(frame) + 1);
        auto& poses = frames[size_t(frame)];
        poses.resize(names.size());
        BodyPose& pose = poses[body->second];
        for (double* v : {&pose.x_m.x, &pose.x_m.y, &pose.x_m.z, &pose.q.w, &pose.q.x, &pose.q.y, &pose.q.z})
            *v = takeNumber(row);
    }
    return frames;
}

}  // namespace flotsam
