/**
 * The configured database: an external PostgreSQL, or the embedded one.
 *
 * <p>This package does not know the stored data; tables and queries belong to the store.
 */
@NullMarked
package dev.spur.service.database.postgres;

import org.jspecify.annotations.NullMarked;
