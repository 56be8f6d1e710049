/** Start of the program: settings, messages that are printed before it is ready, and analysis of a failed start. */
@NullMarked
package dev.spur.service.startup;

import org.jspecify.annotations.NullMarked;
