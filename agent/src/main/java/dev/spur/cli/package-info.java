/** Commands for people without a browser, and the entry of the program that is copied to nodes. */
@NullMarked
package dev.spur.cli;

import org.jspecify.annotations.NullMarked;
