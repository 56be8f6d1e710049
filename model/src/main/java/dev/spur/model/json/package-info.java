/** The JSON form of a round, the same in files, in the stateless solve and on the command line. */
@NullMarked
package dev.spur.model.json;

import org.jspecify.annotations.NullMarked;
