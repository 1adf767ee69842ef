package dev.tidemark.log;

/// Where a [Cursor] stands.
///
/// @param name its name
/// @param lsn the first LSN that it still needs
/// @param lagRecords durable records from there on, lost ones included
/// @param lagBytes sizes of the files, the active one included, that hold those records
/// @param lostRecords how many of them were trimmed all the same; above 0 the cursor was *passed*
public record CursorStatus(
    String name, long lsn, long lagRecords, long lagBytes, long lostRecords) {}
