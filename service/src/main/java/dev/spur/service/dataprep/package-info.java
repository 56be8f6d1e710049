/** Data preparations in the database: rows, states and history of events. */
@NullMarked
package dev.spur.service.dataprep;

import org.jspecify.annotations.NullMarked;
