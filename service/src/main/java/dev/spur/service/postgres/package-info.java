/**
 * The bundled PostgreSQL, for installations without an external one. It is a durable server in the Spur home, reachable
 * from this machine only. It stops when the process ends, in whatever way it ends.
 *
 * <p>This package does not know the stored data; tables and queries belong to the store.
 */
@NullMarked
package dev.spur.service.postgres;

import org.jspecify.annotations.NullMarked;
