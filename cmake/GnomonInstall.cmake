# Install and export; filled by the folders through GNOMON_LIBRARIES.
