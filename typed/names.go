package typed

// aliases are the names of types that detectors use, in the form of [Normal], and what they
// are here. Names that are not in the table, and are not types of this package, are unknown.
//
// Presidio: the supported entities of its documentation. OntoNotes: spaCy's English models.
// CoNLL: the shared task of 2003. The rest: names that GLiNER's models are asked for, and
// those of the 2014 i2b2 task on clinical notes.
var aliases = map[string]string{
	"PER": "PERSON", "PATIENT": "PERSON", "DOCTOR": "PERSON", "NAME": "PERSON", "FULL_NAME": "PERSON", "PERSON_NAME": "PERSON",
	"FIRST_NAME": "GIVEN_NAME", "FIRSTNAME": "GIVEN_NAME", "LAST_NAME": "FAMILY_NAME", "LASTNAME": "FAMILY_NAME", "SURNAME": "FAMILY_NAME",
	"LOC": "LOCATION", "GPE": "LOCATION", "CITY": "LOCATION", "PLACE": "LOCATION", "STATE": "LOCATION",
	"STREET": "ADDRESS", "STREET_ADDRESS": "ADDRESS",
	"ORG": "ORGANIZATION", "ORGANISATION": "ORGANIZATION", "COMPANY": "ORGANIZATION", "COMPANY_NAME": "ORGANIZATION",
	"JOB": "PROFESSION", "JOB_TITLE": "PROFESSION", "OCCUPATION": "PROFESSION",
	"DATE_TIME": "DATE", "DATE_OF_BIRTH": "DATE", "DOB": "DATE", "BIRTH_DATE": "DATE",
	"CARDINAL": "NUMBER", "AMOUNT": "MONEY", "PRICE": "MONEY",
	"PHONE": "PHONE_NUMBER", "FAX": "PHONE_NUMBER", "MOBILE_PHONE_NUMBER": "PHONE_NUMBER", "TELEPHONE": "PHONE_NUMBER", "PHONENUMBER": "PHONE_NUMBER",
	"EMAIL": "EMAIL_ADDRESS", "E_MAIL": "EMAIL_ADDRESS", "MAIL": "EMAIL_ADDRESS",
	"WEBSITE": "URL", "LINK": "URL", "IP": "IP_ADDRESS", "IPADDR": "IP_ADDRESS",
	"ZIP": "POSTCODE", "ZIP_CODE": "POSTCODE", "POSTAL_CODE": "POSTCODE",
	"CREDIT_CARD_NUMBER": "CREDIT_CARD", "CARD_NUMBER": "CREDIT_CARD", "IBAN": "IBAN_CODE",
	"US_SSN": "ID", "US_ITIN": "ID", "US_PASSPORT": "ID", "US_DRIVER_LICENSE": "ID", "US_BANK_NUMBER": "ID", "US_MBI": "ID", "US_NPI": "ID",
	"UK_NHS": "ID", "UK_NINO": "ID", "UK_PASSPORT": "ID", "ES_NIF": "ID", "ES_NIE": "ID", "IT_FISCAL_CODE": "ID", "IT_DRIVER_LICENSE": "ID", "IT_VAT_CODE": "ID",
	"IT_PASSPORT": "ID", "IT_IDENTITY_CARD": "ID", "PL_PESEL": "ID", "SG_NRIC_FIN": "ID", "SG_UEN": "ID", "AU_ABN": "ID", "AU_ACN": "ID", "AU_TFN": "ID",
	"AU_MEDICARE": "ID", "IN_PAN": "ID", "IN_AADHAAR": "ID", "IN_VEHICLE_REGISTRATION": "ID", "IN_VOTER": "ID", "IN_PASSPORT": "ID", "FI_PERSONAL_IDENTITY_CODE": "ID",
	"CRYPTO": "ID", "MEDICAL_LICENSE": "ID", "MEDICALRECORD": "ID", "MEDICAL_RECORD_NUMBER": "ID", "MRN": "ID", "IDNUM": "ID", "USERNAME": "ID", "SSN": "ID",
	"SOCIAL_SECURITY_NUMBER": "ID", "PASSPORT": "ID", "PASSPORT_NUMBER": "ID", "DEVICE": "ID", "HEALTHPLAN": "ID", "ACCOUNT_NUMBER": "ID", "LICENSE": "ID",
	"NATIONAL_ID": "ID", "UUID": "ID",
	"PASSWORD": "SECRET", "API_KEY": "SECRET", "SECRET_KEY": "SECRET", "ACCESS_KEY": "SECRET", "ACCESS_TOKEN": "SECRET", "AUTH_TOKEN": "SECRET",
	"PRIVATE_KEY": "SECRET", "CREDENTIAL": "SECRET", "CREDENTIALS": "SECRET", "MAC": "MAC_ADDRESS",
}

// Known returns the type that a detector's name means. It is the name itself, in the form of
// [Normal], if the table of names does not have it.
func Known(kind string) string {
	normal := Normal(kind)
	if of, ok := aliases[normal]; ok {
		return of
	}
	return normal
}
