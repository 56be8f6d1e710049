/**
 * The {@code spur} program: command line, configuration and wiring of the components. Domain rules belong to the
 * packages below or to the other modules.
 */
@NullMarked
package dev.spur.service;

import org.jspecify.annotations.NullMarked;
