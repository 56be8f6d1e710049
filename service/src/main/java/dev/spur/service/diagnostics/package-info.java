/** What somebody elsewhere needs to see what went wrong here. */
@NullMarked
package dev.spur.service.diagnostics;

import org.jspecify.annotations.NullMarked;
