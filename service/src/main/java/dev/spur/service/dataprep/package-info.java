/**
 * Jobs that prepare data: taking them in, showing them, ending them. Which of them run, and who lends them memory,
 * rounds decide.
 */
@NullMarked
package dev.spur.service.dataprep;

import org.jspecify.annotations.NullMarked;
