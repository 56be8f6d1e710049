/**
 * An embedded PostgreSQL, for installations without an external one. It is a durable server in the Spur home, reachable
 * from this machine only. It stops when the process ends, in whatever way it ends.
 *
 * <p>The package starts and stops the server. It opens no connection and knows no table.
 */
@NullMarked
package dev.spur.postgres;

import org.jspecify.annotations.NullMarked;
