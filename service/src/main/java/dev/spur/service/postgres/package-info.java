/**
 * The PostgreSQL that comes with Spur, for people who bring none: a real, durable server of its own in the Spur home,
 * reachable from this machine only and stopped when the process ends, however it ends. It knows nothing of what is
 * stored; tables and queries belong to the store.
 */
@NullMarked
package dev.spur.service.postgres;

import org.jspecify.annotations.NullMarked;
