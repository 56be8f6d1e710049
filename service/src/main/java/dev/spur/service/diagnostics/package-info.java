/** Support bundles for the analysis of a failure on another machine. */
@NullMarked
package dev.spur.service.diagnostics;

import org.jspecify.annotations.NullMarked;
