// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The texts that an editor has open, kept up with its edits.
#pragma once

#include "compiler/Protocol/Messages.h"
#include "compiler/Support/SourceFile.h"

#include <map>
#include <unordered_map>

namespace tilescope::service {

struct Document {
  std::string uri; ///< as the editor writes it
  int64_t version = 0;
  SourceFilePtr file; ///< its path comes from the URI
};

/// A text after edits, each on the result of the one before.
std::string applyChanges(const SourceFile &file, const std::vector<protocol::ContentChange> &changes);

class Documents {
public:
  /// Null where nothing is open under this URI.
  const Document *find(const std::string &uri) const;
  const Document &open(const protocol::TextDocumentItem &item);
  /// Null, and nothing changes, if it is not open.
  const Document *change(const protocol::DidChange &edit);
  void close(const std::string &uri);

  /// The texts by path, for what imports them.
  std::map<std::string, SourceFilePtr> buffers() const;

private:
  std::unordered_map<std::string, Document> m_documents;
};

/// Where a place of one text is in another that grew out of it: what stands before the first difference and
/// after the last one keeps its place.
class OffsetMap {
public:
  OffsetMap(std::string_view from, std::string_view to);
  /// Nothing for a place within what was edited.
  std::optional<uint32_t> operator()(uint32_t offset) const;

private:
  uint32_t m_prefix = 0;      ///< bytes alike at the beginning
  uint32_t m_suffixBegin = 0; ///< in `from`: from here on alike
  int64_t m_shift = 0;
};

} // namespace tilescope::service
