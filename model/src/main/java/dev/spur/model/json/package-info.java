/** The JSON form of a round in files, in stateless solve requests and on the command line. */
@NullMarked
package dev.spur.model.json;

import org.jspecify.annotations.NullMarked;
