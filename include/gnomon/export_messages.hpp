// What partitions and exporters send each other; see exporter.hpp.

#pragma once

#include "gnomon/actors/caf_compat.hpp"
#include "gnomon/v1/export.pb.h"
#include "gnomon/wire_bytes.hpp"

namespace gnomon {

/// Asks a partition for its records; bytes of `v1::AttachExporter`.
struct attach_exporter : wire_bytes {};

/// Answers `attach_exporter`, once the partition keeps the records for it;
/// `v1::AttachReply`.
struct attach_reply : wire_bytes {};

/// Hands records to an exporter; bytes of `v1::ExportBatch`. An error as answer
/// makes the partition send them again, after a growing delay.
struct export_batch : wire_bytes {};

/// Answers `export_batch`: its records need not be sent again. Empty for now.
struct export_reply : wire_bytes {};

/// Tells an exporter that it gets no more; bytes of `v1::ExporterDetached`.
struct exporter_detached : wire_bytes {};

/// Interface of an exporter. It gets batches in order, several at once, and
/// answers each when its records are safe; an answer counts once all batches
/// before are answered.
struct exporter_trait {
  using signatures = type_list<caf::result<export_reply>(export_batch),
                               caf::result<void>(exporter_detached)>;
};

using exporter = typed_actor<exporter_trait>;

} // namespace gnomon

CAF_BEGIN_TYPE_ID_BLOCK(gnomon_export, GNOMON_FIRST_TYPE_ID + 22)

CAF_ADD_TYPE_ID(gnomon_export, (gnomon::attach_exporter))
CAF_ADD_TYPE_ID(gnomon_export, (gnomon::attach_reply))
CAF_ADD_TYPE_ID(gnomon_export, (gnomon::export_batch))
CAF_ADD_TYPE_ID(gnomon_export, (gnomon::export_reply))
CAF_ADD_TYPE_ID(gnomon_export, (gnomon::exporter_detached))
CAF_ADD_TYPE_ID(gnomon_export, (gnomon::exporter))

CAF_END_TYPE_ID_BLOCK(gnomon_export)
