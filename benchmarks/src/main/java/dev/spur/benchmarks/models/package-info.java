/** How well step times are predicted from a few of them: measured ones are drawn, the others foretold. */
@NullMarked
package dev.spur.benchmarks.models;

import org.jspecify.annotations.NullMarked;
