/**
 * The program that people start: its command line, its configuration and how the parts are wired together. Rules of the
 * domain belong to the packages below or to the other modules.
 */
@NullMarked
package dev.spur.service;

import org.jspecify.annotations.NullMarked;
