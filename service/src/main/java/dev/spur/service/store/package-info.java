/**
 * PostgreSQL stores; the only package with SQL. Its classes map rows to records and define which changes are atomic.
 * The callers define the meaning of the rows for jobs and rounds.
 */
@NullMarked
package dev.spur.service.store;

import org.jspecify.annotations.NullMarked;
