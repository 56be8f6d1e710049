/** Client commands and the entry point of the program that runs on nodes. */
@NullMarked
package dev.spur.cli;

import org.jspecify.annotations.NullMarked;
