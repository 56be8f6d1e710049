/** Tests of the language of the repository: names and prose use the terms of the field. */
package dev.spur.service.language;
