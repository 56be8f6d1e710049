/** Deletion of rows whose retention has expired, and daemon threads for other background work. */
@NullMarked
package dev.spur.service.retention;

import org.jspecify.annotations.NullMarked;
