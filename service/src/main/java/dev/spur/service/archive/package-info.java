/** Exports and restorations as the command line asks for them: finds the database, and says what was done. Serves nothing. */
@NullMarked
package dev.spur.service.archive;

import org.jspecify.annotations.NullMarked;
