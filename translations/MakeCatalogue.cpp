// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the catalogue and writes, into the folder of the first argument, one .ts file a language (with ids
// instead of source texts) and WordTable.cpp. Refuses a catalogue in which an entry lacks a language, uses
// other arguments in one language than in another, or stands twice.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

struct Language {
  const char *code;
  const char *locale; ///< as Qt names it; decides the number of plural forms
  size_t pluralForms;
};
constexpr std::array<Language, 3> Languages{{{"en", "en_US", 2}, {"fr", "fr_FR", 2}, {"zh", "zh_CN", 1}}};

/// The forms of an entry by language; one form unless it counts something.
using Entry = std::array<std::vector<std::string>, Languages.size()>;
using Catalogue = std::map<std::string, Entry>;

int failures = 0;

void complain(const std::string &file, const std::string &key, const std::string &what) {
  std::cerr << file << ": " << key << ": " << what << '\n';
  ++failures;
}

std::set<std::string> placeholders(const std::string &text) {
  std::set<std::string> found;
  for (size_t i = 0; i + 1 < text.size(); ++i)
    if (text[i] == '%' && (std::isdigit(static_cast<unsigned char>(text[i + 1])) || text[i + 1] == 'n'))
      found.insert(text.substr(i, 2));
  return found;
}

bool readForms(const nlohmann::json &json, std::vector<std::string> &forms) {
  if (json.is_string())
    forms = {json.get<std::string>()};
  else if (json.is_array() &&
           std::all_of(json.begin(), json.end(), [](auto &form) { return form.is_string(); }))
    forms = json.get<std::vector<std::string>>();
  return !forms.empty() && std::none_of(forms.begin(), forms.end(), [](auto &form) { return form.empty(); });
}

void checkForms(const std::string &file, const std::string &key, const Entry &entry, bool counts) {
  for (size_t i = 0; i < Languages.size(); ++i) {
    if (counts && entry[i].size() != Languages[i].pluralForms)
      complain(file, key, std::string("wrong number of plural forms in ") + Languages[i].code);
    // "One file" may leave the number out; every last form must not.
    if (placeholders(entry[i].back()) != placeholders(entry[0].back()))
      complain(file, key, std::string("arguments of ") + Languages[i].code + " differ from those of en");
  }
}

void readEntry(const std::string &file, const std::string &key, const nlohmann::json &json,
               Catalogue &catalogue) {
  Entry entry;
  bool counts = false;
  for (size_t i = 0; i < Languages.size(); ++i) {
    auto found = json.find(Languages[i].code);
    if (found == json.end() || !readForms(*found, entry[i]))
      return complain(file, key, std::string("no text in ") + Languages[i].code);
    counts |= found->is_array();
  }
  checkForms(file, key, entry, counts);
  if (!catalogue.emplace(key, std::move(entry)).second)
    complain(file, key, "stands twice in the catalogue");
}

void readFile(const std::string &file, Catalogue &catalogue) {
  std::ifstream stream(file);
  nlohmann::json json = nlohmann::json::parse(stream, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object())
    return complain(file, "(whole file)", "is not a JSON object");
  for (auto &[key, value] : json.items())
    readEntry(file, key, value, catalogue);
}

std::string xml(const std::string &text) {
  std::string escaped;
  for (char c : text)
    escaped += c == '&'   ? "&amp;"
               : c == '<' ? "&lt;"
               : c == '>' ? "&gt;"
               : c == '"' ? "&quot;"
                          : std::string(1, c);
  return escaped;
}

void writeTs(std::ostream &out, const Catalogue &catalogue, size_t language) {
  out << "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!DOCTYPE TS>\n<TS version=\"2.1\" language=\""
      << Languages[language].locale << "\">\n<context>\n<name></name>\n";
  for (const auto &[key, entry] : catalogue) {
    const std::vector<std::string> &forms = entry[language];
    bool numerus = std::any_of(entry.begin(), entry.end(), [](auto &f) { return f.size() > 1; });
    out << "<message id=\"" << xml(key) << "\"" << (numerus ? " numerus=\"yes\"" : "") << ">\n<source>"
        << xml(entry[0].back()) << "</source>\n<translation>";
    for (const std::string &form : forms)
      out << (numerus ? "<numerusform>" + xml(form) + "</numerusform>" : xml(form));
    out << "</translation>\n</message>\n";
  }
  out << "</context>\n</TS>\n";
}

std::string cxx(const std::string &text) {
  std::string escaped = "\"";
  for (char c : text)
    escaped += c == '"' || c == '\\' ? std::string("\\") + c
               : c == '\n'           ? std::string("\\n")
                                     : std::string(1, c);
  return escaped + '"';
}

void writeTable(std::ostream &out, const Catalogue &catalogue) {
  out << "// Made from translations/*.json; sorted by key.\n#include \"translations/WordTable.h\"\n\n"
         "namespace tilescope {\n\nconst WordEntry WordTable[] = {\n";
  for (const auto &[key, entry] : catalogue) {
    out << "    {" << cxx(key) << ", {";
    for (const std::vector<std::string> &forms : entry)
      out << "{" << cxx(forms.front()) << ", " << cxx(forms.back()) << "}, ";
    out << "}},\n";
  }
  out << "};\nconst size_t WordTableSize = " << catalogue.size() << ";\n\n} // namespace tilescope\n";
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3) {
    std::cerr << "usage: tilescope-catalogue OUT-FOLDER CATALOGUE.json…\n";
    return 2;
  }
  Catalogue catalogue;
  for (int i = 2; i < argc; ++i)
    readFile(argv[i], catalogue);
  if (failures)
    return 1;
  std::string folder = argv[1];
  for (size_t i = 0; i < Languages.size(); ++i) {
    std::ofstream out(folder + "/tilescope_" + Languages[i].code + ".ts", std::ios::binary);
    writeTs(out, catalogue, i);
  }
  std::ofstream table(folder + "/WordTable.cpp", std::ios::binary);
  writeTable(table, catalogue);
  return 0;
}
