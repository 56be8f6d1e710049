/**
 * Export and restore of the whole database as one file. The file contains the tables in the COPY format of PostgreSQL
 * and a manifest with their row counts and digests. The tables come from the catalog of the database, so a new table
 * needs no change here.
 */
@NullMarked
package dev.spur.service.store.backup;

import org.jspecify.annotations.NullMarked;
