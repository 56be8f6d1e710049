/** Measures how long the views of the dashboard take to load in a headless Chromium. */
@NullMarked
package dev.spur.benchmarks.browser;

import org.jspecify.annotations.NullMarked;
