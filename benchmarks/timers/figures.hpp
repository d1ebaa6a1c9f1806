// The figures, by what they are about; each prints its rows.

#pragma once

#include "benchmarks/figure_table.hpp"
#include "benchmarks/timers/plan.hpp"

namespace gnomon::benchmarks {

/// Restart, memory, processor time and disk with many waiting timers. Forks, so
/// it has to come first, before there are threads.
void measure_pending(figure_table& table, const plan& what);

/// Creating many timers, against the storage work alone.
void measure_create(figure_table& table, const plan& what);

/// Many timers that are due at once, against the storage work alone; and what a
/// client notices of it.
void measure_burst(figure_table& table, const plan& what);

/// One client with one command at a time, against one fdatasync.
void measure_one_client(figure_table& table, const plan& what);

/// Jobs that are created, pushed and completed, against the storage work alone;
/// jobs whose back-off is over at once, and what a client notices of it.
void measure_jobs(figure_table& table, const plan& what);

/// How late timers trigger when there is little else to do.
void measure_lateness(figure_table& table, const plan& what);

/// Whether exporters keep up with creating at full rate.
void measure_exporters(figure_table& table, const plan& what);

/// What metrics cost, in pairs of runs with and without them.
void measure_metrics(figure_table& table, const plan& what);

} // namespace gnomon::benchmarks
