/**
 * Everything that is stored, as one file, and back: the tables as PostgreSQL copies them, with a manifest that says how
 * many rows each has and what their digest is. Knows tables by the catalog of the database alone, so that a new one
 * needs nothing here.
 */
@NullMarked
package dev.spur.service.store.backup;

import org.jspecify.annotations.NullMarked;
