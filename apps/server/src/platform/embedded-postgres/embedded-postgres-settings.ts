/** The settings of the embedded PostgreSQL. Its memory is a part of the machine's. */
import { totalmem } from 'node:os'

const MEGABYTE = 1024 * 1024
const FEWEST_MEGABYTES = 64
const MOST_MEGABYTES = 2048

/** In bytes: what this process may use, which in a container is less than the machine has. */
export function availableMemory(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

/**
 * The cache of the database: an eighth of the memory, from 64 MB to 2 GB. The operating system caches its files in what
 * is left, so that half of the memory is a fair guess at what is found in either.
 */
export function memorySettings(bytes: number): Record<string, string> {
  const share = Math.round(bytes / 8 / MEGABYTE)
  return {
    shared_buffers: `${Math.min(MOST_MEGABYTES, Math.max(FEWEST_MEGABYTES, share))}MB`,
    effective_cache_size: `${Math.max(4 * FEWEST_MEGABYTES, 4 * share)}MB`,
  }
}

/** For a machine of 2 cores. fsync and synchronous_commit stay on: this is a ledger. */
export function defaultSettings(): Record<string, string> {
  return {
    ...memorySettings(availableMemory()),
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    max_connections: '100',
    wal_compression: 'on',
    min_wal_size: '128MB',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    random_page_cost: '1.1',
    // Two cores serve many short statements: no core is left to help another, and compiling costs more than it saves.
    max_parallel_workers_per_gather: '0',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    // What people are called stands in values, and in what an error says of the row in its way.
    log_statement: 'none',
    log_min_duration_statement: '-1',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_lock_waits: 'off',
    log_line_prefix: '%m [%p] ',
    cluster_name: 'kvitt',
  }
}
