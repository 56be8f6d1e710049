/**
 * Background work besides requests and rounds: daemon threads, and the deletion of rows whose retention has expired.
 */
@NullMarked
package dev.spur.service.retention;

import org.jspecify.annotations.NullMarked;
