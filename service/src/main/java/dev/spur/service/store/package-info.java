/**
 * PostgreSQL: the only package with SQL. Its classes turn rows into records and back, and say what is atomic; what the
 * rows mean for jobs and rounds is decided by their callers.
 */
@NullMarked
package dev.spur.service.store;

import org.jspecify.annotations.NullMarked;
