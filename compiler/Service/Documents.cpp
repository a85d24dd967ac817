// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Documents.h"

#include "compiler/Service/Uri.h"

#include <algorithm>

namespace tilescope::service {

std::string applyChanges(const SourceFile &file, const std::vector<protocol::ContentChange> &changes) {
  std::string text(file.text());
  for (size_t i = 0; i < changes.size(); ++i) {
    const protocol::ContentChange &change = changes[i];
    if (!change.range) {
      text = change.text;
      continue;
    }
    const SourceFile before = i == 0 ? file : SourceFile(file.path(), text);
    const auto &[start, end] = *change.range;
    uint32_t from = before.offset({start.line, start.character});
    uint32_t to = before.offset({end.line, end.character});
    text.replace(std::min(from, to), std::max(from, to) - std::min(from, to), change.text);
  }
  return text;
}

const Document *Documents::find(const std::string &uri) const {
  auto found = m_documents.find(uri);
  return found == m_documents.end() ? nullptr : &found->second;
}

const Document &Documents::open(const protocol::TextDocumentItem &item) {
  auto file = std::make_shared<SourceFile>(pathOfUri(item.uri), item.text);
  return m_documents[item.uri] = {item.uri, item.version, std::move(file)};
}

const Document *Documents::change(const protocol::DidChange &edit) {
  auto found = m_documents.find(edit.textDocument.uri);
  if (found == m_documents.end())
    return nullptr;
  Document &document = found->second;
  document.file =
      std::make_shared<SourceFile>(document.file->path(), applyChanges(*document.file, edit.contentChanges));
  document.version = edit.textDocument.version;
  return &document;
}

void Documents::close(const std::string &uri) { m_documents.erase(uri); }

std::map<std::string, SourceFilePtr> Documents::buffers() const {
  std::map<std::string, SourceFilePtr> buffers;
  for (const auto &[uri, document] : m_documents)
    buffers[document.file->path()] = document.file;
  return buffers;
}

OffsetMap::OffsetMap(std::string_view from, std::string_view to) {
  const auto [a, b] = std::ranges::mismatch(from, to);
  m_prefix = static_cast<uint32_t>(a - from.begin());
  const size_t longest = std::min(from.size(), to.size()) - m_prefix;
  size_t suffix = 0;
  while (suffix < longest && from[from.size() - suffix - 1] == to[to.size() - suffix - 1])
    ++suffix;
  m_suffixBegin = static_cast<uint32_t>(from.size() - suffix);
  m_shift = static_cast<int64_t>(to.size()) - static_cast<int64_t>(from.size());
}

std::optional<uint32_t> OffsetMap::operator()(uint32_t offset) const {
  if (offset <= m_prefix)
    return offset;
  if (offset >= m_suffixBegin)
    return static_cast<uint32_t>(offset + m_shift);
  return std::nullopt;
}

} // namespace tilescope::service
