/// For tests of the log, of those who embed it, and of any other user of a
/// [dev.tidemark.log.spi.Storage]: storage that loses what a power failure loses, plans of what
/// goes wrong, and an explorer that lets the power fail everywhere.
///
/// ## The crash model
///
/// What a power failure may leave, and nothing else:
///
/// - *Bytes.* Files consist of sectors of 512 bytes. A sector that was written since the file's
///   last sync has its durable content or that after any of the writes since, each sector for
///   itself: a write may be lost, kept or torn between sectors, and writes may survive in any
///   order. A sector is whole.
/// - *Syncs.* A sync makes durable what was written before it began. After one that failed, what it
///   was to cover stays in doubt for ever, whatever later syncs answer, until it is written again
///   and synced: so Linux behaves.
/// - *Sizes.* A file has its durable size or the one after any write since. Where it grew over
///   sectors that were lost it has zeros.
/// - *Names.* Creating, renaming and deleting is durable once the directory was synced. Until then
///   each such change is kept or lost as a whole, in any order, but none without those before it
///   that touched the same name. A file's sync does not cover its name.
/// - *Nothing else changes.* Bytes that no write touched stay as they are, and a sync that returned
///   success holds. Damage is another matter: [CrashStorage#flipBit] and its like make it.
///
/// The death of the process alone loses nothing, but what was not durable is still in doubt: its
/// successor reads it from memory, and a power failure may yet take it. [CrashStorage#copy] is
/// that.
///
/// ## What is here
///
/// - [CrashStorage]: the storage.
/// - [FaultPlan], [FaultKind], [Gate]: operations that fail, are cut short, are slow, or wait.
/// - [CrashExplorer]: the power fails at every storage call of some work, and once more while what
///   is left is recovered.
/// - [StorageCounts], [Seed]: what was done, and how to do it again.
@NullMarked
package dev.tidemark.log.testkit;

import org.jspecify.annotations.NullMarked;
