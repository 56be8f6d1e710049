/** Looking at the dashboard with a headless Chromium, and measuring what a person would have to wait for. */
@NullMarked
package dev.spur.benchmarks.browser;

import org.jspecify.annotations.NullMarked;
